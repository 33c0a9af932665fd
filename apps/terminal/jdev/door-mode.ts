import { z } from 'zod'

const Args = z.object({ until: z.iso.datetime({ offset: true }).optional() })
const modes: Readonly<Record<string, Mode>> = { hold_open: 'held', lock: 'locked', evacuate: 'evacuated', seal: 'sealed', resume: 'normal' }
type Mode = 'normal' | 'held' | 'locked' | 'evacuated' | 'sealed'

/** What a door was told from afar: it stands open or shut until then, or until it is told otherwise (chapter 35 R53). */
export class DoorMode {
  #mode: Mode = 'normal'
  #until = Infinity
  #relay_until = 0

  /** What it is now, by the terminal's own clock. */
  at(now: Date): Mode {
    return now.getTime() < this.#until ? this.#mode : 'normal'
  }

  /** Lets through who is there, for so long. */
  openFor(ms: number): void {
    this.#relay_until = Date.now() + ms
  }

  isOpen(now: Date): boolean {
    const mode = this.at(now)
    return mode === 'held' || mode === 'evacuated' || Date.now() < this.#relay_until
  }

  /** Follows a command; any other one changes nothing. */
  obey(name: string, args: unknown): void {
    const mode = modes[name]
    if (mode === undefined) return
    const { until } = Args.catch({}).parse(args)
    this.#mode = mode
    this.#until = until === undefined ? Infinity : Date.parse(until)
  }
}
