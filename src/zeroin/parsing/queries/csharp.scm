(comment) @comment
(string_literal_content) @string
(string_content) @string
(verbatim_string_literal) @string
(raw_string_literal) @string
(character_literal) @string
(using_directive) @import
(namespace_declaration name: (_) @name) @namespace
(file_scoped_namespace_declaration name: (_) @name) @namespace
(class_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(struct_declaration name: (identifier) @name) @struct
(record_declaration name: (identifier) @name) @record
(enum_declaration name: (identifier) @name) @enum
(delegate_declaration name: (identifier) @name) @delegate
(method_declaration name: (identifier) @name) @method
((constructor_declaration name: (identifier) @name) @constructor
  (#not-eq? @name "extension"))
(operator_declaration "operator" @name) @method
(conversion_operator_declaration "operator" @name) @method
(indexer_declaration "this" @name) @property
(local_function_statement name: (identifier) @name) @function
(property_declaration name: (identifier) @name) @property
(event_declaration name: (identifier) @name) @event
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @event
(field_declaration (modifier) @_m (variable_declaration (variable_declarator name: (identifier) @name))
  (#eq? @_m "const")) @constant
