import { openText, sealedColumn, sealText } from '@kit/server/secrets'
import type { SealedPart } from '@kit/server/secrets'

const purpose = (school_id: number) => `devices.credential:${school_id}`

/** Seals the code of a card, a password and the like. */
export function sealCode(data_key: Buffer, school_id: number, code: string): Buffer {
  return sealText(data_key, purpose(school_id), code)
}

export function openCode(data_key: Buffer, school_id: number, sealed: Buffer): string {
  return openText(data_key, purpose(school_id), sealed)
}

const password_purpose = (school_id: number) => `devices.password:${school_id}`

/** Seals the password of a device's own console. */
export function sealPassword(data_key: Buffer, school_id: number, password: string): Buffer {
  return sealText(data_key, password_purpose(school_id), password)
}

export function openPassword(data_key: Buffer, school_id: number, sealed: Buffer): string {
  return openText(data_key, password_purpose(school_id), sealed)
}

const social_purpose = (school_id: number) => `devices.reader:${school_id}`

/** Seals the key of social cards, and what a school's readers share with the server. */
export function sealSocial(data_key: Buffer, school_id: number, text: string): Buffer {
  return sealText(data_key, social_purpose(school_id), text)
}

export function openSocial(data_key: Buffer, school_id: number, sealed: Buffer): string {
  return openText(data_key, social_purpose(school_id), sealed)
}

const social = { table: 'reader_social', ids: [['slot', 'smallint']], open: openSocial, seal: sealSocial } as const

const stream_purpose = (school_id: number) => `devices.stream:${school_id}`

/** Seals where the picture of a camera comes from: name and password stand in it. */
export function sealStream(data_key: Buffer, school_id: number, address: string): Buffer {
  return sealText(data_key, stream_purpose(school_id), address)
}

export function openStream(data_key: Buffer, school_id: number, sealed: Buffer): string {
  return openText(data_key, stream_purpose(school_id), sealed)
}

const settings_purpose = (school_id: number) => `devices.config:${school_id}`

/** Seals the secret settings of a profile, as JSON. */
export function sealSettings(data_key: Buffer, school_id: number, text: string): Buffer {
  return sealText(data_key, settings_purpose(school_id), text)
}

export function openSettings(data_key: Buffer, school_id: number, sealed: Buffer): string {
  return openText(data_key, settings_purpose(school_id), sealed)
}

const adoption_purpose = (school_id: number) => `devices.adoption:${school_id}`

/** Seals the secret that a device is to be given. */
export function sealSecret(data_key: Buffer, school_id: number, secret: string): Buffer {
  return sealText(data_key, adoption_purpose(school_id), secret)
}

export function openSecret(data_key: Buffer, school_id: number, sealed: Buffer): string {
  return openText(data_key, adoption_purpose(school_id), sealed)
}

const erased_purpose = (school_id: number) => `devices.erased:${school_id}`

/** Seals the number of somebody who is erased. */
export function sealNumber(data_key: Buffer, school_id: number, user_no: string): Buffer {
  return sealText(data_key, erased_purpose(school_id), user_no)
}

export function openNumber(data_key: Buffer, school_id: number, sealed: Buffer): string {
  return openText(data_key, erased_purpose(school_id), sealed)
}

/** What of devices is sealed with a key of the installation, for the exchange of keys. */
export const sealed_parts: readonly SealedPart[] = [
  sealedColumn({
    name: 'devices.credential', table: 'subject_credential', ids: [['credential_id', 'bigint']], column: 'code_sealed',
    open: (data_key, school_id, sealed) => openCode(data_key, school_id, sealed),
    seal: (data_key, school_id, text) => sealCode(data_key, school_id, text),
  }),
  sealedColumn({
    name: 'devices.password', table: 'device_password', ids: [['device_id', 'bigint'], ['version', 'integer']], column: 'password_sealed',
    open: (data_key, school_id, sealed) => openPassword(data_key, school_id, sealed),
    seal: (data_key, school_id, text) => sealPassword(data_key, school_id, text),
  }),
  sealedColumn({ name: 'devices.adoption', table: 'device_adoption', ids: [['device_id', 'bigint']], column: 'secret_sealed', open: openSecret, seal: sealSecret }),
  sealedColumn({ name: 'devices.erased', table: 'erased_subject', ids: [['user_id', 'bigint']], column: 'no_sealed', open: openNumber, seal: sealNumber }),
  sealedColumn({ ...social, name: 'devices.reader.key', column: 'key_sealed' }),
  sealedColumn({ ...social, name: 'devices.reader.pairing', column: 'pairing_sealed' }),
  sealedColumn({
    name: 'devices.stream', table: 'camera', ids: [['device_id', 'bigint']], column: 'stream_sealed',
    open: (data_key, school_id, sealed) => openStream(data_key, school_id, sealed),
    seal: (data_key, school_id, text) => sealStream(data_key, school_id, text),
  }),
  ...(['secret_sealed', 'trial_sealed'] as const).map(column => sealedColumn({
    name: `devices.config.${column}`, table: 'config_profile', ids: [['profile_id', 'bigint']], column,
    open: (data_key, school_id, sealed) => openSettings(data_key, school_id, sealed),
    seal: (data_key, school_id, text) => sealSettings(data_key, school_id, text),
  })),
]
