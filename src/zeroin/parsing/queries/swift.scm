(comment) @comment
(multiline_comment) @comment
(line_str_text) @string
(multi_line_str_text) @string
(import_declaration) @import
(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @struct
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @enum
(class_declaration declaration_kind: "actor" name: (type_identifier) @name) @actor
(class_declaration declaration_kind: "extension" name: (_) @name) @extension
(class_declaration declaration_kind: "class" name: (type_identifier) @name) @class
(protocol_declaration name: (type_identifier) @name) @protocol
(typealias_declaration name: (type_identifier) @name) @type
(associatedtype_declaration name: (type_identifier) @name) @type
; The first one: a type that is returned has the field "name", too. "_" is any operator as well.
(function_declaration "func" . name: _ @name) @function
(protocol_function_declaration "func" . name: _ @name) @method
(subscript_declaration "subscript" @name) @method
(deinit_declaration "deinit" @name) @method
(init_declaration "init" @name) @constructor
(macro_declaration (simple_identifier) @name) @macro
(source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable)
(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property)
(enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property)
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @property
