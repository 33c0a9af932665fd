import { ConfigError } from '@kit/server/config'
import { commands } from './cli/commands.ts'
import { sentenceOf } from './cli/sentence.ts'

const [name = 'help', ...args] = process.argv.slice(2)
const command = commands.find(item => item.name === name)

if (!command) {
  if (name !== 'help' && name !== '--help') process.stderr.write(`unknown command "${name}"; these are known:\n\n`)
  process.stdout.write(`campus <command>\n\n${commands.map(item => `  ${item.usage.padEnd(44)} ${item.about}`).join('\n')}\n`)
  process.exitCode = name === 'help' || name === '--help' ? 0 : 2
} else {
  await command.run(args, process.env).catch((error: unknown) => {
    process.stderr.write(`${sentenceOf(error)}\n`)
    process.exitCode = error instanceof ConfigError ? 2 : 1
  })
}
