import { field } from '../config/field.ts'
import type { ConfigFields } from '../config/field.ts'

const { fixed, between, oneOf, flag, secret, text } = field

/** Chapter 31 §5.5: groups, fields, defaults and ranges. */
export const config_fields: ConfigFields = {
  face: { similarity: { initial: 0.5, least: 0, most: 1, decimals: 1 }, livenessOff: flag(1), livenessVal: between(5, 0, 10), stranger: oneOf(1, 0, 1, 2), voiceMode: oneOf(1, 0, 1, 2), voiceModeDate: text('欢迎光临'), recheck: between(8, 1, 100), recognitionTimeout: between(5, 1, 30) },
  mqtt: { addr: { initial: '', is_needed: true }, clientId: fixed(''), clientIdSuffix: flag(0), qos: oneOf(1, 0, 1, 2), username: text('admin'), password: text('password'), prefix: text(), onlinecheck: flag(0), timeout: between(5, 1), willTopic: text('access_device/v2/event/offline'), cleanSession: flag(0) },
  net: { type: oneOf(1, 1, 2, 4), dhcp: oneOf(2, 1, 2), ip: text(), gateway: text(), mask: text(), dns: text(), mac: fixed(''), ssid: text(), psk: secret() },
  ntp: { server: text(), gmt: between(8, 0, 24), timeZone: text('Asia/Shanghai') },
  access: {
    offlineAccessNum: between(2000, 1, 2000), deleteRecordAfterUpload: flag(1), relayTime: between(3, 1, 60), fire: flag(0), fireStatus: flag(0), tamper: flag(0), uploadToCloud: flag(0), uploadFaceScores: flag(0), verifyMode: oneOf(0, 0, 1, 2, 3),
    factorSequence: { initial: ['face', 'card'] }, verifyTimeout: between(15, 3, 300),
  },
  base: {
    language: oneOf('CN', 'CN', 'EN', 'ES', 'FR', 'DE', 'RU', 'AR', 'PT', 'KO'), password: { initial: '123456', is_needed: true }, firstLogin: fixed(1), screenOff: between(3, 0), screensaver: flag(1), backlight: between(70, 0, 100), whiteLightMode: oneOf(0, 0, 1, 2), brightness: between(70, 0, 100),
    nirBrightness: between(80, 0, 100), volume: between(10, 0, 10), showIp: flag(1), showSn: flag(1), accessDisplayFields: { initial: ['name'] },
  },
  sys: {
    model: fixed('VF105_V12'), appVersion: fixed('vf105_v12_1.0.0'), mac: fixed(''), sn: fixed(''), releaseTime: fixed(''), totaldisk: fixed(8192), freedisk: fixed(6144), heart_en: flag(0), heart_time: between(30, 30), nfc: flag(1), pwd: flag(1), passwordLength: oneOf(6, 4, 6, 8), faceImageRetention: flag(1),
    strangerImage: flag(1), nfcIdentityCardEnable: oneOf(1, 1, 3), scanInterval: between(1, 1), weComStatus: fixed(0), weComMqttAddr: fixed(''),
  },
  intercom: { server: text(), port: between(5060, 1, 65_535) },
}

const in_areas: Readonly<Record<string, string>> = {
  Asia: 'Dubai Karachi Kolkata Dhaka Bangkok Jakarta Shanghai Hong_Kong Taipei Singapore Seoul Tokyo', Australia: 'Perth Sydney',
  America: 'Adak Anchorage Los_Angeles Denver Chicago Mexico_City New_York Toronto Bogota Lima Santiago Sao_Paulo Argentina/Buenos_Aires',
  Europe: 'Lisbon London Amsterdam Berlin Paris Madrid Rome Stockholm Athens Istanbul', Atlantic: 'Azores', Pacific: 'Guam Noumea Auckland Fiji Tongatapu Midway Honolulu',
}
/** The time zones that the device knows. */
export const time_zones: readonly string[] = Object.entries(in_areas).flatMap(([area, names]) => names.split(' ').map(name => `${area}/${name}`))
