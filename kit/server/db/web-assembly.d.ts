/** What this program needs of a global that Node has and its published types do not know. */
declare namespace WebAssembly {
  /** Code that threads may hand to each other. */
  interface Module {
    readonly [Symbol.toStringTag]: string
  }
  function compile(bytes: Uint8Array): Promise<Module>
}
