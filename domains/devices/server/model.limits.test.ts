import { expect, test } from 'vitest'
import { known_models } from './model.catalogue.ts'
import { modelLimits } from './model.limits.ts'

test('the limits of every model the product knows can be read, and nothing of them is lost', () => {
  for (const model of known_models) expect(modelLimits(model)).toEqual(model.limits)
})

test.each([[{ rows_per_command: 0 }], [{ channels: '32' }], [{ max_persons: 1.5 }], [null]])('limits that are none are no guess: %j', limits => {
  expect(() => modelLimits({ model_code: 'X-1', limits })).toThrow('the limits of model X-1 cannot be read')
})
