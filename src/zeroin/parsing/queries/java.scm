(line_comment) @comment
(block_comment) @comment
(string_fragment) @string
(multiline_string_fragment) @string
(character_literal) @string
(import_declaration) @import
(package_declaration (_) @name) @package
(class_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(enum_declaration name: (identifier) @name) @enum
(record_declaration name: (identifier) @name) @record
(annotation_type_declaration name: (identifier) @name) @annotation
(method_declaration name: (identifier) @name) @method
(constructor_declaration name: (identifier) @name) @constructor
(compact_constructor_declaration name: (identifier) @name) @constructor
(annotation_type_element_declaration name: (identifier) @name) @method
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name)) @constant
(field_declaration (modifiers "final" "static") declarator: (variable_declarator name: (identifier) @name)) @constant
