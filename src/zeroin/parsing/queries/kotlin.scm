(line_comment) @comment
(block_comment) @comment
(string_content) @string
(character_literal) @string
(import) @import
(package_header (qualified_identifier) @name) @package
(class_declaration "interface" name: (identifier) @name) @interface
(class_declaration (modifiers (class_modifier "enum")) name: (identifier) @name) @enum
(class_declaration name: (identifier) @name) @class
(object_declaration name: (identifier) @name) @object
(companion_object name: (identifier) @name) @object
(type_alias type: (identifier) @name) @type
(function_declaration name: (identifier) @name) @function
(source_file (property_declaration (variable_declaration . (identifier) @name)) @property)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @property)
