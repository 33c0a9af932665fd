import type { ProviderStep } from '@campus/identity/contract'
import { ProviderFault } from './fault.ts'

/** The log of one trip, step by step. */
export class Trip {
  readonly steps: ProviderStep[]
  constructor(steps: readonly ProviderStep[] = []) {
    this.steps = [...steps]
  }

  /** Does one step and notes how it went; `told` says what came of it. */
  async step<T>(name: string, act: () => Promise<T>, told: (found: T) => string = () => ''): Promise<T> {
    try {
      const found = await act()
      this.steps.push({ name, ok: true, detail: told(found) })
      return found
    } catch (error) {
      this.steps.push({ name, ok: false, detail: error instanceof ProviderFault ? error.message : '系统异常' })
      throw error
    }
  }

  note(name: string, ok: boolean, detail = ''): void {
    this.steps.push({ name, ok, detail })
  }
}
