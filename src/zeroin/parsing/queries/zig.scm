(comment) @comment
(string_content) @string
(multiline_string) @string
(builtin_function (builtin_identifier) @_b (arguments (string (string_content) @specifier))
  (#any-of? @_b "@import" "@embedFile")) @import
(function_declaration name: (identifier) @name) @function
(variable_declaration . (identifier) @name (struct_declaration)) @struct
(variable_declaration . (identifier) @name (enum_declaration)) @enum
(variable_declaration . (identifier) @name (union_declaration)) @union
(variable_declaration . (identifier) @name (opaque_declaration)) @type
(variable_declaration . (identifier) @name (error_set_declaration)) @type
(source_file (variable_declaration . (identifier) @name) @constant
  (#not-match? @constant "@import"))
