import { createAdmin } from './admin.ts'
import { anonymise } from './anonymise.ts'
import { auditSeals, auditVerify } from './audit.ts'
import { backup, restore } from './backup.ts'
import { broker } from './broker.ts'
import type { Command } from './command.ts'
import { checkConfig, makeSecrets } from './config.ts'
import { device } from './device.ts'
import { demoAccounts, resetData, sampleSheet, token } from './development.ts'
import { distributeCommand } from './distribute.ts'
import { exportSubjectCommand } from './export-subject.ts'
import { migrateCommand } from './migrate.ts'
import { moveToPostgres } from './move.ts'
import { resetAdminPassword } from './reset-password.ts'
import { rotateKeys } from './rotate.ts'
import { checkSealed } from './sealed.ts'
import { createSchoolCommand } from './school.ts'
import { separateDuties } from './separate-duties.ts'

/** Every command of `npm run cli -- <command>`. */
export const commands: readonly Command[] = [
  { name: 'check-config', usage: 'check-config', about: 'checks settings and secrets, names what is wrong', run: checkConfig },
  { name: 'make-secrets', usage: 'make-secrets <file>', about: 'writes a file of random secrets, readable by its owner only', run: makeSecrets },
  { name: 'migrate', usage: 'migrate up|status', about: 'brings the database schema up to date, or lists the migrations', run: migrateCommand },
  { name: 'create-admin', usage: 'create-admin <username> [name]', about: 'makes a super account and prints its one-time password', run: createAdmin },
  { name: 'reset-admin-password', usage: 'reset-admin-password <username>', about: 'gives a super account another one-time password', run: resetAdminPassword },
  { name: 'create-school', usage: 'create-school <number> <name> [1|2]', about: 'makes a school (1) or an enterprise (2)', run: createSchoolCommand },
  { name: 'move-to-postgres', usage: 'move-to-postgres', about: 'moves the embedded database into an empty PostgreSQL and compares', run: moveToPostgres },
  { name: 'distribute', usage: 'distribute [--dry-run] [--coordinator <host>:<port>] [--worker <host>:<port>]...', about: 'spreads the schools of a PostgreSQL over a Citus cluster; may run again at any time, see docs/operators.md', run: distributeCommand },
  { name: 'backup', usage: 'backup <folder>', about: 'writes a backup of database and files', run: backup },
  { name: 'restore', usage: 'restore [--verify] <folder>', about: 'restores into an empty database; --verify only proves the backup', run: restore },
  { name: 'broker', usage: 'broker export <folder> [--reload <pid file>]', about: 'writes password and ACL files for an outside Mosquitto, see docs/operators.md', run: broker },
  { name: 'device', usage: 'device probe <serial number>', about: 'asks a connected terminal what it takes and makes that the limits of its model, see docs/operators.md', run: device },
  { name: 'check-sealed', usage: 'check-sealed [--repair]', about: 'reads every sealed number; --repair after a lost key, see docs/operators.md', run: checkSealed },
  { name: 'rotate-keys', usage: 'rotate-keys [--forget [--at-once]] <key>', about: 'exchanges one of the five secrets and seals anew what it sealed; goes on where it was broken off', run: rotateKeys },
  { name: 'anonymise', usage: 'anonymise <backup> --target <new folder>', about: 'makes a harmless backup for tests out of a real one: invented people, no journals, no secrets', run: anonymise },
  { name: 'export-subject', usage: 'export-subject <school> <person> <new folder> --reason <words>', about: 'writes everything held about one person, with a line in the journals', run: exportSubjectCommand },
  { name: 'separate-duties', usage: 'separate-duties [--apply]', about: 'names who edits roles and reads the journals; --apply parts the roles, before the profile mlps3', run: separateDuties },
  { name: 'audit-verify', usage: 'audit-verify [--school <number>] [--file <seals>] [--earlier <seals>]', about: 'checks the journals against their seals and names what was changed; with --file a file of seals alone', run: auditVerify },
  { name: 'audit-seals', usage: 'audit-seals <number> <file>', about: 'writes the seals of a school into a file that anybody can check', run: auditSeals },
  { name: 'token', usage: 'token <account>', about: 'prints a session token (dev and test only)', run: token },
  { name: 'demo-accounts', usage: 'demo-accounts', about: 'lists the demo accounts and their password', run: demoAccounts },
  { name: 'sample-sheet', usage: 'sample-sheet [folder]', about: 'writes filled student and parent sheets', run: sampleSheet },
  { name: 'reset-data', usage: 'reset-data', about: 'removes the embedded data directory (dev and test only)', run: resetData },
]
