(line_comment) @comment
(block_comment) @comment
(string_content) @string
(char_literal) @string
(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import
(mod_item name: (identifier) @name body: (_)) @module
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(union_item name: (type_identifier) @name) @union
(trait_item name: (type_identifier) @name) @trait
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(macro_definition name: (identifier) @name) @macro
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(impl_item type: (type_identifier) @name) @scope
(impl_item type: (generic_type type: (_) @name)) @scope
(impl_item type: (scoped_type_identifier name: (type_identifier) @name)) @scope
(impl_item type: (dynamic_type trait: (type_identifier) @name)) @scope
(impl_item type: (reference_type type: (type_identifier) @name)) @scope
(impl_item type: (reference_type type: (generic_type type: (_) @name))) @scope
