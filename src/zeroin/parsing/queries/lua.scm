(comment) @comment
(string content: (string_content) @string)
(function_call name: (identifier) @_r arguments: (arguments . (string content: (string_content) @specifier))
  (#eq? @_r "require")) @import
(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression table: (_) @parent field: (identifier) @name)) @function
(function_declaration name: (method_index_expression table: (_) @parent method: (identifier) @name)) @method
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition))) @function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @parent field: (identifier) @name))
  (expression_list . value: (function_definition))) @function
(field name: (identifier) @name value: (function_definition)) @method
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name)) @variable)
  (#not-match? @variable "^[^=]*= *(pcall *[(] *)?require[^A-Za-z0-9_]"))
(chunk (assignment_statement (variable_list name: (identifier) @name)) @variable)
(field name: (string content: (string_content) @name) value: (function_definition)) @method
