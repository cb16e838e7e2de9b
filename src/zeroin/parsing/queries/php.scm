(comment) @comment
(string_content) @string
(nowdoc_string) @string
(namespace_use_declaration) @import
[(require_expression) (require_once_expression) (include_expression) (include_once_expression)] @import
(namespace_definition name: (namespace_name) @name) @namespace
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(method_declaration name: (name) @name) @method
(function_definition name: (name) @name) @function
(const_element . (name) @name) @constant
(function_call_expression function: (name) @_f
  arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_f "define")) @constant
