import { createAdmin } from './admin.ts'
import { backup, restore } from './backup.ts'
import type { Command } from './command.ts'
import { checkConfig, makeSecrets } from './config.ts'
import { demoAccounts, resetData, sampleSheet, token } from './development.ts'
import { migrateCommand } from './migrate.ts'
import { moveToPostgres } from './move.ts'
import { createSchoolCommand } from './school.ts'

/** Every command of `npm run cli -- <command>`. */
export const commands: readonly Command[] = [
  { name: 'check-config', usage: 'check-config', about: 'checks settings and secrets, names what is wrong', run: checkConfig },
  { name: 'make-secrets', usage: 'make-secrets <file>', about: 'writes a file of random secrets, readable by its owner only', run: makeSecrets },
  { name: 'migrate', usage: 'migrate up|status', about: 'brings the database schema up to date, or lists the migrations', run: migrateCommand },
  { name: 'create-admin', usage: 'create-admin <username> [name]', about: 'makes a super account and prints its one-time password', run: createAdmin },
  { name: 'create-school', usage: 'create-school <number> <name> [1|2]', about: 'makes a school (1) or an enterprise (2)', run: createSchoolCommand },
  { name: 'move-to-postgres', usage: 'move-to-postgres', about: 'moves the embedded database into an empty PostgreSQL and compares', run: moveToPostgres },
  { name: 'backup', usage: 'backup <folder>', about: 'writes a backup of database and files', run: backup },
  { name: 'restore', usage: 'restore [--verify] <folder>', about: 'restores into an empty database; --verify only proves the backup', run: restore },
  { name: 'token', usage: 'token <account>', about: 'prints a session token (dev and test only)', run: token },
  { name: 'demo-accounts', usage: 'demo-accounts', about: 'lists the demo accounts and their password', run: demoAccounts },
  { name: 'sample-sheet', usage: 'sample-sheet [folder]', about: 'writes filled student and parent sheets', run: sampleSheet },
  { name: 'reset-data', usage: 'reset-data', about: 'removes the embedded data directory (dev and test only)', run: resetData },
]
