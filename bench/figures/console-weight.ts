import type { Figure } from '../figure.ts'
export const consoleWeight: Figure = { name: 'console-weight', title: 'console-weight', how: '', run: async () => [] }
