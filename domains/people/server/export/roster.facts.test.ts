import { StaffQuery, StudentQuery } from '@campus/people/contract'
import { expect, test } from 'vitest'
import { StaffFacts } from '../staff/staff.roster.ts'
import { PupilFacts } from './student.roster.ts'

const paging = ['page_index', 'page_size']
const asked = (query: { shape: object }) => Object.keys(query.shape).filter(name => !paging.includes(name))

test.each([['pupils', StudentQuery, PupilFacts], ['staff', StaffQuery, StaffFacts]] as const)('the export of %s keeps every filter of the list, so that its sheet holds the rows that were seen', (_who, query, facts) => {
  const lost = asked(query).filter(name => !Object.keys(facts.shape).includes(name))
  expect(lost).toEqual([])
})
