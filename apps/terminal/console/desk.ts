import { randomInt } from 'node:crypto'
import { maskName } from '@kit/contract/checks'
import { log_levels } from '@kit/terminal-protocol/console'
import type { Capture, LogLevel, PartTest, SettingValues, Shown } from '@kit/terminal-protocol/console'
import { writeCard } from '@kit/terminal-protocol/card'
import type { Clock } from '../clock.ts'
import type { JdevTerminal } from '../jdev/terminal.ts'
import { numberOf, textOf } from '../jdev/own-settings.ts'
import { cardFormat } from './card-reader.ts'
import { DeviceLog } from './device-log.ts'
import { MessageTrace } from './message-trace.ts'
import { Sessions } from './sessions.ts'
import { shownOf } from './shown.ts'

const [second_ms, minute_ms] = [1000, 60_000]
const [trial_ms, adb_ms, part_ms, shown_ms] = [60 * second_ms, 30 * minute_ms, 3 * second_ms, 5 * second_ms]
const first_digits = 8

/** What the people at a terminal have before them, its console and its screen: everything that is not the terminal itself and goes with its power. */
export class Desk {
  readonly terminal: JdevTerminal
  readonly clock: Clock
  readonly sessions = new Sessions()
  readonly log: DeviceLog
  readonly messages = new MessageTrace()
  /** firmware is being written */
  is_upgrading = false
  started_at: number
  capture: Capture = { card: null, face: null }
  #trial: { values: SettingValues; until: number; cancel: () => void } | undefined
  #adb: { until: number; cancel: () => void } | undefined
  #testing: { part: PartTest; until: number } | undefined
  #known: string
  #last: { shown: Shown; until: number } | undefined

  constructor(terminal: JdevTerminal, clock: Clock) {
    this.terminal = terminal
    this.clock = clock
    this.started_at = clock.now()
    this.#known = this.password
    this.log = new DeviceLog(() => levelOf(textOf(terminal.store, 'sys.log_level')))
    terminal.events.on('message', (direction, type, body) => {
      this.messages.note(direction, type, body, terminal.now)
      this.note('debug', `${direction} ${type}`)
    })
    terminal.events.on('settings', group => this.#followServer(group))
    terminal.events.on('restart', () => this.#begin())
    terminal.events.on('shown', (kind, code, pass) => {
      const shown = shownOf(terminal.store, { ...pass, at: terminal.now.toISOString() })
      this.#last = { shown, until: clock.now() + shown_ms }
      if (kind === 'card') this.capture = { ...this.capture, card: { at: shown.at, uid: code } }
      if (kind === 'face') this.capture = { ...this.capture, face: { at: shown.at, name: maskName(shown.name) } }
      this.note('info', `pass by ${kind}: ${shown.result}`)
    })
    this.note('info', 'started')
  }

  note(level: LogLevel, text: string): void {
    this.log.note(level, this.terminal.now, text)
  }

  /** The password of the console. A terminal that has none draws one, which stands on its screen until it is changed. */
  get password(): string {
    const { store } = this.terminal
    const held = textOf(store, 'base.password')
    if (held !== '') return held
    const drawn = Array.from({ length: first_digits }, () => randomInt(10)).join('')
    store.set('base', { password: drawn })
    store.set('console', { is_first: 1 })
    return drawn
  }

  /** The password is the drawn one. */
  get must_change(): boolean {
    return this.password !== '' && numberOf(this.terminal.store, 'console.is_first') === 1
  }

  changePassword(password: string): void {
    this.#known = password
    this.terminal.store.set('base', { password })
    this.terminal.store.set('console', { is_first: 0 })
    this.note('warn', 'password changed')
  }

  /** A change of network that holds until it is confirmed, or for a minute. */
  get trial(): { values: SettingValues; seconds: number } | null {
    return this.#trial ? { values: this.#trial.values, seconds: Math.ceil((this.#trial.until - this.clock.now()) / second_ms) } : null
  }

  tryNetwork(values: SettingValues): void {
    this.#trial?.cancel()
    this.#trial = { values, until: this.clock.now() + trial_ms, cancel: this.clock.later(trial_ms, () => this.endTrial(false)) }
    this.note('warn', 'network on trial')
  }

  endTrial(is_kept: boolean): void {
    if (!this.#trial) return
    this.#trial.cancel()
    if (is_kept) this.terminal.store.set('net', this.#trial.values)
    this.#trial = undefined
    this.note('warn', is_kept ? 'network confirmed' : 'network fell back')
  }

  /** Seconds until the debug bridge shuts itself; null: it is shut. */
  get adb_seconds(): number | null {
    return this.#adb ? Math.ceil((this.#adb.until - this.clock.now()) / second_ms) : null
  }

  switchAdb(is_on: boolean): void {
    this.#adb?.cancel()
    this.#adb = is_on ? { until: this.clock.now() + adb_ms, cancel: this.clock.later(adb_ms, () => this.switchAdb(false)) } : undefined
    this.note('warn', is_on ? 'adb on' : 'adb off')
  }

  /** A card is held to the reader: its number is written as the settings say. */
  holdCard(uid: string): void {
    this.terminal.present('card', writeCard(uid, cardFormat(this.terminal.store)))
    this.capture = { ...this.capture, card: { at: this.terminal.now.toISOString(), uid } }
  }

  /** Tries one part of the hardware; its screen shows which. */
  tryPart(part: PartTest): void {
    if (part === 'relay') this.terminal.openRelay()
    this.#testing = { part, until: this.clock.now() + part_ms }
    this.note('info', `test of ${part}`)
  }

  get testing(): PartTest | null {
    return this.#testing && this.clock.now() < this.#testing.until ? this.#testing.part : null
  }

  /** Who came within the last seconds. */
  get last(): Shown | null {
    return this.#last && this.clock.now() < this.#last.until ? this.#last.shown : null
  }

  get door() {
    return { ...this.terminal.door, relay: this.terminal.is_relay_open }
  }

  /** The server has set something; with another password whoever is signed in signs in again. */
  #followServer(group: string): void {
    this.note('info', `settings of ${group} from the server`)
    if (group !== 'base' || this.password === this.#known) return
    this.#known = this.password
    this.terminal.store.set('console', { is_first: 0 })
    this.sessions.endOthers()
  }

  #begin(): void {
    this.sessions.endOthers()
    this.endTrial(false)
    if (this.#adb) this.switchAdb(false)
    this.capture = { card: null, face: null }
    this.#known = this.password
    this.started_at = this.clock.now()
    this.note('info', 'started')
  }
}

function levelOf(text: string): LogLevel {
  return log_levels.find(level => level === text) ?? 'info'
}
