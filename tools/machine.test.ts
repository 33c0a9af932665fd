import { describe, expect, it } from 'vitest'
import { planMachine } from './machine.ts'
import type { Need } from './machine.ts'

const there: Need = { what: 'Chromium', apt: 'chromium', isThere: () => true }
const missing: Need = { what: 'PostgreSQL 15 or later', apt: 'postgresql', isThere: () => false }

describe('what the tests need from the machine', () => {
  it('is left alone when everything is there', () => {
    expect(planMachine([there], false, false)).toEqual({ install: [] })
  })

  it('is installed by apt when root', () => {
    expect(planMachine([there, missing], true, true)).toEqual({ install: ['postgresql'] })
  })

  it.each([[false, true], [true, false]])('is asked for in one sentence otherwise (root %s, apt %s)', (is_root, has_apt) => {
    const plan = planMachine([there, missing], is_root, has_apt)
    expect(plan).toEqual({ refuse: expect.stringMatching(/^The tests need PostgreSQL 15 or later: run `sudo apt-get install -y postgresql`/) })
  })
})
