import { randomUUID } from 'node:crypto'
import { silenceOf, WarnRuleBody } from '@kit/terminal-protocol'
import type { DownRow, Scene, Silence, UploadAsked } from '@kit/terminal-protocol'
import { JdevTerminal } from '../jdev/terminal.ts'
import { below } from '../jdev/options.ts'
import type { Refused, TerminalOptions } from '../jdev/options.ts'
import { drawScene } from './drawing.ts'

/** Rules that a box has room for, scenes that it remembers, messages of one scene. */
const [most_rules, most_scenes, most_messages] = [64, 20, 5] as const
/** It says again that something goes on, in seconds. */
const again_s = 5
const second_ms = 1000
const every_algorithm: readonly string[] = ['1', '2', '3', '4', '5', '6', '7', '8']

/** What a box says of something that it has seen. `camera`: the serial number. */
export type Sighting = { kind: string; camera: string; rule_id?: string; person_ref?: string; score?: number; at?: string }
/** Something that happened before its cameras: which rules have warned of it, and why the others have not. */
export type Watched = Omit<Scene, 'at'> & { at: string; warned: string[]; silent: { rule_id: string; why: Silence }[] }
type BoxOptions = TerminalOptions & { /** of the school, where pictures go */ address: string; /** kinds that it can recognise; all of them unless told */ algorithms?: readonly string[] }

/** A virtual box: holds the rules that it was told, warns of what goes against one of them, and sends the pictures that it is asked for: a picture is what its name says, so that none is lost with the power. */
export class AiBox extends JdevTerminal {
  readonly #address: string
  #algorithms: readonly string[]
  /** its pictures have names that no other power-up gives */
  readonly #run = randomUUID().slice(0, 8)
  readonly #sent = new Set<string>()
  #seen = 0
  /** the last things that happened before its cameras, oldest first */
  readonly scenes: Watched[] = []

  constructor({ address, algorithms = every_algorithm, ...options }: BoxOptions) {
    super({ model: 'JD-A6', ...options })
    this.#address = address
    this.#algorithms = algorithms
  }

  override readonly refusalOf = ({ k, key, body }: DownRow): Refused | undefined => {
    if (k !== 'rule') return undefined
    const rule = WarnRuleBody.safeParse(body).data
    if (!rule) return { code: 'body', text: '规则内容不完整' }
    if (!this.#algorithms.includes(rule.warn_kind)) return { code: 'algorithm', text: '盒子没有此类识别的算法授权' }
    return !this.store.held('rule').has(key) && this.rules.length >= most_rules ? { code: 'full', text: `盒子最多执行${most_rules}条规则` } : undefined
  }

  override readonly shape = () => ({ ...below(this.children), algorithms: this.#algorithms })

  /** It has got another licence, and says so. */
  license(algorithms: readonly string[]): void {
    this.#algorithms = algorithms
    this.beat()
  }

  /** Pictures sent so far. */
  get sent(): number {
    return this.#sent.size
  }

  /** The rules that it goes by, by the order of their keys. */
  get rules(): WarnRuleBody[] {
    return [...this.store.held('rule')].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, { body }]) => WarnRuleBody.safeParse(body).data ?? [])
  }

  /** Something has happened before a camera and is over: every rule that it goes against warns, from when it had lasted long enough and again while it went on. */
  watch(scene: Scene): Watched {
    const judged = this.rules.map(rule => ({ rule, why: silenceOf(rule, scene) }))
    const warned = judged.flatMap(({ rule, why }) => (why === null ? [rule] : []))
    for (const rule of warned) this.#warn(rule, scene)
    const watched = { ...scene, at: scene.at.toISOString(), warned: warned.map(rule => rule.rule_id), silent: judged.flatMap(({ rule: { rule_id }, why }) => (why === null ? [] : [{ rule_id, why }])) }
    this.scenes.push(watched)
    this.scenes.splice(0, this.scenes.length - most_scenes)
    return watched
  }

  /** Says that something was seen, whatever its rules say. @returns the name of its picture */
  see({ kind, camera, at, ...more }: Sighting): string {
    this.#seen += 1
    const image = `${this.#run}-${kind}-${this.#seen}.png`
    this.tell('warn', { kind, camera, image, ...more }, at)
    return image
  }

  #warn({ rule_id, dwell_sec }: WarnRuleBody, { kind, camera, score, lasts_s, at }: Scene): void {
    for (let n = 0, after_s = dwell_sec; n < most_messages && after_s <= lasts_s; n += 1, after_s += again_s) {
      this.see({ kind, camera, rule_id, score, at: new Date(at.getTime() + after_s * second_ms).toISOString() })
    }
  }

  protected override asked(uploads: readonly UploadAsked[]): void {
    void this.#send(uploads)
  }

  /** Sends what is asked for, one after the other; a picture that does not get through is asked for again at the next hello. */
  async #send(uploads: readonly UploadAsked[]): Promise<void> {
    for (const { image, key, url, fields } of uploads) {
      const bytes = this.#sent.has(image) ? null : drawNamed(image)
      if (!bytes) continue
      const form = new FormData()
      for (const [name, value] of Object.entries({ ...fields, key })) form.append(name, value)
      form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), image)
      const answer = await fetch(new URL(url, this.#address), { method: 'POST', body: form }).catch(() => null)
      if (!answer?.ok) continue
      this.#sent.add(image)
      this.tell('image', { image, key })
    }
  }
}

/** The picture of a name; null for a name that no box gives. */
function drawNamed(image: string): Buffer | null {
  const named = /-([0-9]+)-([0-9]+)\.png$/u.exec(image)
  return named && drawScene(named[1] ?? '', Number(named[2]))
}
