import { readFileSync } from 'node:fs'
import { ConfigError } from '../config/index.ts'
import type { App } from '../http/index.ts'
import type { Broker } from './broker.ts'
import { openTcp } from './tcp.ts'

/** Where devices come in. */
export type DeviceDoors = {
  /** Opens what is configured. @returns every address, the first one is the plain port or the outside broker's */
  listen(): Promise<string[]>
  leave(): void
}

const default_ports: Readonly<Record<string, string>> = { 'mqtt:': '1883', 'mqtts:': '8883' }

/** The doors that the settings name: the broker of this server by TCP and, with a certificate, by TLS; or the outside one, which opens its own. @throws ConfigError when certificate or key cannot be used */
export function openDeviceDoors(app: App, broker: Broker): DeviceDoors {
  const { CAMPUS_MQTT_URL, CAMPUS_MQTT_HOST: host, CAMPUS_MQTT_PORT, CAMPUS_MQTT_TLS_HOST: tls_host = host, CAMPUS_MQTT_TLS_PORT } = app.config
  if (CAMPUS_MQTT_URL !== '') return { listen: () => Promise.resolve([outsideAddress(CAMPUS_MQTT_URL)]), leave: () => undefined }
  const plain = openTcp(app, broker)
  const secured = certificateOf(app)
  const tls = secured && openTls(app, broker, secured)
  return {
    async listen() {
      const bound = [`mqtt://${nameOf(host)}:${await plain.listen({ host, port: CAMPUS_MQTT_PORT, setting: 'CAMPUS_MQTT_PORT' })}`]
      if (tls) bound.push(`mqtts://${nameOf(tls_host)}:${await tls.listen({ host: tls_host, port: CAMPUS_MQTT_TLS_PORT, setting: 'CAMPUS_MQTT_TLS_PORT' })}`)
      return bound
    },
    leave() {
      plain.leave()
      tls?.leave()
    },
  }
}

/** The address of an outside broker as it may be shown: without user and password. */
export function outsideAddress(setting: string): string {
  const { protocol, hostname, port } = new URL(setting)
  return `${protocol}//${hostname}:${port || (default_ports[protocol] ?? '')}`
}

/** An address of the newer kind stands in brackets where a port follows. */
function nameOf(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function certificateOf({ config: { CAMPUS_MQTT_TLS_CERT, CAMPUS_MQTT_TLS_KEY } }: App): { cert: Buffer; key: Buffer } | undefined {
  if (CAMPUS_MQTT_TLS_CERT === undefined || CAMPUS_MQTT_TLS_KEY === undefined) return undefined
  return { cert: readNamed('CAMPUS_MQTT_TLS_CERT', CAMPUS_MQTT_TLS_CERT), key: readNamed('CAMPUS_MQTT_TLS_KEY', CAMPUS_MQTT_TLS_KEY) }
}

function readNamed(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    throw new ConfigError(`${setting}: ${file} cannot be read`)
  }
}

function openTls(app: App, broker: Broker, secured: { cert: Buffer; key: Buffer }) {
  try {
    return openTcp(app, broker, secured)
  } catch (error) {
    throw new ConfigError(`CAMPUS_MQTT_TLS_CERT and CAMPUS_MQTT_TLS_KEY: no certificate with its key (${error instanceof Error ? error.message : 'unknown'})`)
  }
}
