(comment) @comment
(expression_statement . (string) @doc .)
(string_content) @string
(import_statement) @import
(import_from_statement) @import
(decorated_definition) @wrap
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(type_alias_statement left: (type (identifier) @name)) @type
(type_alias_statement left: (type (generic_type . (identifier) @name))) @type
(module (expression_statement (assignment left: (identifier) @name)) @variable)
