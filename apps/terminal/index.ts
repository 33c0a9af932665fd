export { TerminalStore } from './jdev/store.ts'
export { JdevTerminal } from './jdev/terminal.ts'
export type { Faults, TerminalOptions } from './jdev/terminal.ts'
