import { loadConfig } from '@kit/server/config'
import type { Config } from '@kit/server/config'
import { outsideAddress } from '@kit/server/mqtt'
import { loadSecrets, makeSecretsFile, secret_names } from '@kit/server/secrets'
import type { Environment } from './command.ts'

/** Says what would run and refuses what must not. */
export async function checkConfig(_args: string[], env: Environment): Promise<void> {
  const config = loadConfig(env)
  loadSecrets(config, env)
  const database = config.DATABASE_URL === undefined ? `embedded in ${config.CAMPUS_DATA_DIR}` : `PostgreSQL ${new URL(config.DATABASE_URL).host}`
  const lines = [
    `environment: ${config.CAMPUS_ENV}${config.demo ? ' with demo data' : ''}`,
    `listens on: ${config.CAMPUS_HOST}:${config.CAMPUS_PORT}`,
    `devices at: ${devicesAt(config)}`,
    `database: ${database}`,
    `secrets: all ${secret_names.length} present`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function devicesAt(config: Config): string {
  const { CAMPUS_MQTT_URL, CAMPUS_MQTT_HOST, CAMPUS_MQTT_PORT, CAMPUS_MQTT_TLS_CERT, CAMPUS_MQTT_TLS_HOST = CAMPUS_MQTT_HOST, CAMPUS_MQTT_TLS_PORT } = config
  if (CAMPUS_MQTT_URL !== '') return `${outsideAddress(CAMPUS_MQTT_URL)} (outside broker)`
  return `${CAMPUS_MQTT_HOST}:${CAMPUS_MQTT_PORT}${CAMPUS_MQTT_TLS_CERT === undefined ? '' : `, by TLS ${CAMPUS_MQTT_TLS_HOST}:${CAMPUS_MQTT_TLS_PORT}`}`
}

/** Writes new secrets; an existing file is never overwritten. */
export async function makeSecrets([file]: string[], _env: Environment): Promise<void> {
  if (!file) throw new Error('usage: make-secrets <file>')
  makeSecretsFile(file)
  process.stdout.write(`${file} written; keep a copy in a safe place and set CAMPUS_SECRETS_FILE=${file}\n`)
}
