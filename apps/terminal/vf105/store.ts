import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { factoryConfig } from '@kit/terminal-protocol/vf105'
import { z } from 'zod'

const Extra = z.record(z.string(), z.unknown())
export const User = z.object({ userId: z.string(), name: z.string(), permissionIds: z.array(z.string()), extra: Extra })
export type User = z.output<typeof User>
export const Key = z.object({ keyId: z.string(), userId: z.string(), type: z.string(), code: z.string(), extra: Extra })
export type Key = z.output<typeof Key>
const Time = z.object({ type: z.number(), range: z.object({ beginTime: z.number(), endTime: z.number() }).optional(), dayPeriodTime: z.string().optional(), weekPeriodTime: z.record(z.string(), z.string()).optional() })
export const Permission = z.object({ permissionId: z.string(), index: z.number(), time: Time, extra: Extra })
export type Permission = z.output<typeof Permission>
export const Security = z.object({ securityId: z.string(), type: z.string(), key: z.string(), value: z.string(), startTime: z.number(), endTime: z.number() })
const Record_ = z.object({ id: z.number(), userId: z.string(), name: z.string(), type: z.string(), code: z.string(), keyId: z.string(), permissionId: z.string(), result: z.number(), error: z.string(), timeStamp: z.number(), is_uploaded: z.boolean(), extra: Extra })
export type AccessRecord = z.output<typeof Record_>
const Groups = z.record(z.string(), Extra)
const Saved = z.object({ config: Groups, users: z.array(User), keys: z.array(Key), permissions: z.array(Permission), securities: z.array(Security), records: z.array(Record_), last_record: z.number(), lost: z.number(), entered: z.string().default('') })

/** What one VF105 holds, in memory and, where it has a file, on disk. */
export class Vf105Store {
  readonly #file: string | undefined
  config = factoryConfig()
  users = new Map<string, User>()
  keys = new Map<string, Key>()
  permissions = new Map<string, Permission>()
  securities = new Map<string, z.output<typeof Security>>()
  records: AccessRecord[] = []
  /** records that were overwritten before anybody had read them */
  lost = 0
  /** the secret that somebody has entered at the device itself */
  entered = ''
  #last_record = 0

  constructor(sn: string, file?: string) {
    this.#file = file
    if (file !== undefined && existsSync(file)) this.#load(readFileSync(file, 'utf8'))
    Object.assign(this.config.sys ?? {}, { sn })
    Object.assign(this.config.mqtt ?? {}, { clientId: sn })
  }

  /** A field of the configuration that is a number. */
  number(group: string, field: string): number {
    return Number(this.config[group]?.[field])
  }

  text(group: string, field: string): string {
    return String(this.config[group]?.[field] ?? '')
  }

  /** Adds a record; at the limit the oldest goes, read or not (chapter 31 §5.4). */
  record(facts: Omit<AccessRecord, 'id' | 'is_uploaded'>): AccessRecord {
    this.#last_record += 1
    const made = { ...facts, id: this.#last_record, is_uploaded: false }
    while (this.records.length >= this.number('access', 'offlineAccessNum')) if (this.records.shift()?.is_uploaded === false) this.lost += 1
    this.records.push(made)
    return made
  }

  /** The oldest record that nobody has taken. */
  waiting(): AccessRecord | undefined {
    return this.records.find(record => !record.is_uploaded)
  }

  /** A record was taken: it goes, or is kept as uploaded. */
  taken(id: number): void {
    if (this.number('access', 'deleteRecordAfterUpload') === 1) this.records = this.records.filter(record => record.id !== id)
    else for (const record of this.records.filter(one => one.id === id)) record.is_uploaded = true
  }

  /** Loses everything but who it is. */
  wipe(): void {
    const { sn } = this.config.sys ?? {}
    this.config = factoryConfig()
    Object.assign(this.config.sys ?? {}, { sn })
    Object.assign(this.config.mqtt ?? {}, { clientId: sn })
    for (const held of [this.users, this.keys, this.permissions, this.securities]) held.clear()
    this.records = []
  }

  /** Writes everything to its file, whole or not at all. */
  save(): void {
    if (this.#file === undefined) return
    const { config, records, lost, entered } = this
    const saved: z.input<typeof Saved> = { config, records, lost, entered, users: [...this.users.values()], keys: [...this.keys.values()], permissions: [...this.permissions.values()], securities: [...this.securities.values()], last_record: this.#last_record }
    writeFileSync(`${this.#file}.new`, JSON.stringify(saved))
    renameSync(`${this.#file}.new`, this.#file)
  }

  #load(text: string): void {
    const { config, users, keys, permissions, securities, records, last_record, lost, entered } = Saved.parse(JSON.parse(text))
    Object.assign(this, { config, records, lost, entered })
    this.#last_record = last_record
    this.users = new Map(users.map(one => [one.userId, one]))
    this.keys = new Map(keys.map(one => [one.keyId, one]))
    this.permissions = new Map(permissions.map(one => [one.permissionId, one]))
    this.securities = new Map(securities.map(one => [one.securityId, one]))
  }
}
