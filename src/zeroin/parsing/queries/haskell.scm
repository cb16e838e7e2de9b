(comment) @comment
(haddock) @comment
(string) @string
(char) @string
(import) @import
(header module: (module) @name) @module
(data_type name: (_) @name) @type
(newtype name: (_) @name) @type
(type_synonym name: (_) @name) @type
(type_family name: (_) @name) @type
(data_family name: (_) @name) @type
(class name: (_) @name) @class
(instance name: (_) @name) @scope
(data_constructor (_ name: (constructor) @name)) @constructor
(newtype_constructor name: (constructor) @name) @constructor
(gadt_constructor name: (constructor) @name) @constructor
(declarations (signature name: (_) @name) @signature)
(declarations (signature names: (binding_list (_) @name)) @signature)
(declarations (function name: (_) @name) @function)
(declarations (function (infix operator: (_) @name)) @function)
(declarations (bind name: (_) @name) @function)
(class_declarations (signature name: (_) @name) @method)
(class_declarations (signature names: (binding_list (_) @name)) @method)
(class_declarations (function name: (_) @name) @method)
(instance_declarations (function name: (_) @name) @method)
(instance_declarations (bind name: (_) @name) @method)
(pattern_synonym (equation synonym: (apply function: (_) @name))) @pattern
(field name: (field_name (variable) @name)) @field
