/**
 * A place where a lower domain asks and a higher one answers (chapter 90 §1, way 3). The lower domain declares the port,
 * the higher one fills it at start; what is filled belongs to one running app, never to the module.
 */
export class Port<T> {
  readonly name: string
  readonly #filled = new WeakMap<object, T[]>()
  constructor(name: string) {
    this.name = name
  }

  fill(app: object, value: T): void {
    this.#filled.set(app, [...this.all(app), value])
  }

  /** What was filled in for an app, or for the one it was made from (`Object.create`). */
  all(app: object): readonly T[] {
    const origin: unknown = Object.getPrototypeOf(app)
    return this.#filled.get(app) ?? (typeof origin === 'object' && origin !== null ? this.all(origin) : [])
  }

  /** The one answer of a port that must have exactly one. */
  one(app: object): T {
    const [value, ...more] = this.all(app)
    if (value === undefined || more.length > 0) throw new Error(`port ${this.name} needs exactly one answer, has ${this.all(app).length}`)
    return value
  }
}
