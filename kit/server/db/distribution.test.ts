import { expect, test } from 'vitest'
import type { CatalogueTable } from './catalogue.ts'
import { distribute, distributionSteps } from './distribute.ts'
import { planDistribution } from './distribution.ts'

const table = (name: string, primary_key: string[], refers_to: string[] = [], rest: Partial<CatalogueTable> = {}): CatalogueTable => ({
  name, primary_key, is_view: false, partition_of: null, comment: null, columns: [], unique: [], rls: true, forced: true, policies: [], triggers: [], owner: 'campus_owner',
  foreign_keys: refers_to.map(other => ({ name: `${name}_${other}_fkey`, columns: ['school_id'], table: other, table_columns: ['school_id'] })),
  ...rest,
})
const school = table('school', ['school_id'])
const shared = table('account', ['user_id'])

test('a table lies by the first column of its key, behind what it refers to', () => {
  const plan = planDistribution([table('bed', ['school_id', 'id'], ['room']), table('room', ['school_id', 'id'], ['school', 'account']), school, shared, table('work', ['work_id'])])
  expect(plan).toEqual({ reference: ['account'], distributed: ['school', 'room', 'bed'], local: ['work'] })
})

test('views and partitions follow what they are made of', () => {
  const plan = planDistribution([school, table('pass', ['school_id', 'day']), table('pass_202611', ['school_id', 'day'], [], { partition_of: 'pass' }), table('school_v', [], [], { is_view: true })])
  expect(plan.distributed).toEqual(['school', 'pass'])
})

test.each([
  ['account_school_fkey goes from a reference table to a distributed one', [school, table('account', ['user_id'], ['school'])]],
  ['work_school_fkey goes from a local table to a distributed one', [school, table('work', ['work_id'], ['school'])]],
  ['job_work_fkey goes from a distributed table to a local one', [school, table('work', ['work_id']), table('job', ['school_id', 'id'], ['work'])]],
])('a key that no cluster takes is named: %s', (sentence, tables) => {
  expect(() => planDistribution(tables)).toThrow(sentence)
})

test('the steps are those that a cluster took: machines, extensions, settings, reference tables, the school and what lies beside it', () => {
  const plan = planDistribution([table('room', ['school_id', 'id'], ['school']), school, shared])
  expect(distributionSteps(plan, { coordinator: { host: 'db0', port: 5432 }, workers: [{ host: 'db1', port: 5432 }] })).toEqual([
    'create extension if not exists citus',
    `select citus_set_coordinator_host('db0', 5432)`,
    `select citus_add_node('db1', 5432)`,
    `select run_command_on_workers('create extension if not exists btree_gist')`,
    `select run_command_on_workers('create extension if not exists pg_trgm')`,
    'set citus.enable_local_reference_table_foreign_keys = off',
    `set citus.multi_shard_modify_mode = 'sequential'`,
    'set client_min_messages = warning',
    `select create_reference_table('account')`,
    `select create_distributed_table('school', 'school_id')`,
    `select create_distributed_table('room', 'school_id', colocate_with => 'school')`,
  ])
})

const admin_url = process.env['CAMPUS_TEST_PG_ADMIN_URL']

test.skipIf(admin_url === undefined)('a server without Citus is refused in one sentence before anything is done', async () => {
  const steps: string[] = []
  await expect(distribute(admin_url ?? '', planDistribution([school]), { workers: [] }, step => void steps.push(step))).rejects.toThrow('this server has no Citus')
  expect(steps).toEqual([])
})
