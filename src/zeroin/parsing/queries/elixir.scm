(comment) @comment
(quoted_content) @string
(unary_operator operator: "@"
  operand: (call target: (identifier) @_d (arguments . [(string) (sigil)] @doc))
  (#any-of? @_d "moduledoc" "doc" "typedoc" "shortdoc"))
(call target: (identifier) @_i (arguments . [(alias) (dot)])
  (#any-of? @_i "alias" "import" "use" "require")) @import
(call target: (identifier) @_k (arguments . [(alias) (dot)] @name)
  (#any-of? @_k "defmodule")) @module
(call target: (identifier) @_k (arguments . (alias) @name)
  (#any-of? @_k "defprotocol")) @protocol
(call target: (identifier) @_k (arguments . (alias) @name)
  (#any-of? @_k "defimpl")) @scope
(call target: (identifier) @_k
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (identifier) @name operator: "when")
    (binary_operator left: (call target: (identifier) @name) operator: "when")])
  (#any-of? @_k "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp")) @function
(call target: (identifier) @_k
  (arguments . (binary_operator left: (_) operator: _ @name right: (_)))
  (#any-of? @_k "def" "defp")
  (#not-eq? @name "when")) @function
(call target: (identifier) @_k
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: (identifier) @name operator: "when")
    (binary_operator left: (call target: (identifier) @name) operator: "when")])
  (#any-of? @_k "defmacro" "defmacrop")) @macro
(unary_operator operator: "@"
  operand: (call target: (identifier) @_t
    (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))
  (#any-of? @_t "type" "typep" "opaque")) @type
(unary_operator operator: "@"
  operand: (call target: (identifier) @_t
    (arguments . (binary_operator left: [
      (call target: (identifier) @name)
      (binary_operator left: (call target: (identifier) @name))])))
  (#any-of? @_t "callback" "macrocallback")) @callback
