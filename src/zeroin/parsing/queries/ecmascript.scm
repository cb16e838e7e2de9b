(comment) @comment
(string_fragment) @string
(regex_pattern) @string
(import_statement) @import
(export_statement source: (string)) @import
(call_expression function: (import) arguments: (arguments . (string) @specifier)) @import
(call_expression function: (identifier) @_require arguments: (arguments . (string) @specifier .)
  (#any-of? @_require "require" "importScripts")) @import
(export_statement) @wrap
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(class_declaration name: (_) @name) @class
(class name: (_) @name) @class
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(assignment_expression left: (identifier) @name
  right: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression left: (member_expression property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @function
(assignment_expression left: (member_expression property: (property_identifier) @name)
  right: (class)) @class
(pair key: (property_identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @method
(program (lexical_declaration (variable_declarator name: (identifier) @name) @constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @constant)))
(program (export_statement declaration: (variable_declaration (variable_declarator name: (identifier) @name) @variable)))
(function_expression name: (identifier) @name) @function
