import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deviceApi } from '@campus/devices/contract'
import { loadConfig } from '@kit/server/config'
import { openDeviceDoors } from '@kit/server/mqtt'
import type { Broker } from '@kit/server/mqtt'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApp } from './boot.ts'
import { doorLines } from './device-doors.ts'
import { dataOf, startTestApp, test_schools, test_settings } from './testing/index.ts'

const openssl = '/usr/bin/openssl'
let folder: string
const files = () => ({ CAMPUS_MQTT_TLS_CERT: join(folder, 'crt.pem'), CAMPUS_MQTT_TLS_KEY: join(folder, 'key.pem') })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-tls-'))
  execFileSync(openssl, ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', files().CAMPUS_MQTT_TLS_KEY, '-out', files().CAMPUS_MQTT_TLS_CERT], { stdio: 'ignore' })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('with a certificate devices come in by TLS beside the plain port, and the start says what is bound where', async () => {
  const app = await startTestApp({ settings: { ...files(), CAMPUS_MQTT_TLS_PORT: '0', CAMPUS_VF105_QR_KEY: 'key-of-the-firmware' } })
  const doors = await app.running.openToDevices()
  expect(doorLines(app.running.app, doors).map(line => line.replace(/:\d+（/u, ':0（'))).toEqual(['设备接入：mqtt://127.0.0.1:0（仅本机，未加密）', '设备接入：mqtts://127.0.0.1:0（仅本机，TLS加密）'])
  const reached = async (more: object) => {
    const client = mqtt.connect(doors[1] ?? '', { clientId: 'NOBODY', username: 'NOBODY', password: 'guessed', reconnectPeriod: 0, ...more })
    const error = await new Promise<Error>(resolve => client.once('error', resolve))
    client.end(true)
    return error.message
  }
  // The broker's own word, behind a certificate that was checked.
  expect(await reached({ ca: await readFile(files().CAMPUS_MQTT_TLS_CERT) })).toMatch(/Connection refused/)
  expect(await reached({})).toMatch(/self-signed/)
  // A new device is sent to the door with the certificate, by its screen and by its camera.
  const { token } = await app.as({ school_id: test_schools.a, codes: ['devices.device.edit'], places: 'all' })
  const { server, setup_qr } = dataOf(deviceApi.enrol_code, await app.call(deviceApi.enrol_code, { count: 1, expires_min: 5, device_sn: 'TLS-1' }, { token }))
  expect([server.port, server.is_tls, setup_qr?.includes('addr="mqtts://127.0.0.1:0"')]).toEqual(['0', true, true])
  await app.close()
})

test('a certificate that cannot be used stops the start, naming the setting', async () => {
  const broker: Broker = { prefix: 'jdev', take: () => undefined, send: () => undefined, unacknowledged: () => 0, kick: () => undefined, close: () => Promise.resolve() }
  const opened = async (settings: Record<string, string>) => {
    const env = { ...test_settings, CAMPUS_DATA_DIR: 'memory://', ...files(), ...settings }
    return openDeviceDoors(await makeApp({ config: loadConfig(env), env }), broker)
  }
  await expect(opened({ CAMPUS_MQTT_TLS_CERT: join(folder, 'none.pem') })).rejects.toThrow(/CAMPUS_MQTT_TLS_CERT: .*none\.pem cannot be read/)
  await expect(opened({ CAMPUS_MQTT_TLS_KEY: files().CAMPUS_MQTT_TLS_CERT })).rejects.toThrow('no certificate with its key')
})

test('doors of the network and an outside broker are called what they are', () => {
  const config = (CAMPUS_MQTT_URL: string) => ({ config: { CAMPUS_MQTT_URL } })
  expect(doorLines(config(''), ['mqtt://0.0.0.0:1883', 'mqtts://10.0.0.5:8883'])).toEqual(['设备接入：mqtt://0.0.0.0:1883（局域网，未加密）', '设备接入：mqtts://10.0.0.5:8883（局域网，TLS加密）'])
  expect(doorLines(config('mqtts://u:p@mqtt.example.cn'), ['mqtts://mqtt.example.cn:8883'])).toEqual(['设备接入：mqtts://mqtt.example.cn:8883（外部消息服务，TLS加密）'])
})
