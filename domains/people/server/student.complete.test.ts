import { isRegistryProp, missing_names, registry, registry_props, student_missing } from '@campus/people/contract'
import { expect, test } from 'vitest'

/** Every pupil has them: the table asks for them. */
const never_missing = new Set(['enrol_month', 'by_bus'])

test('20 §10.5 a complete file holds what the national form asks for, by the labels of the form', () => {
  const wanted = registry_props.filter(prop => registry[prop].wanted && !never_missing.has(prop))
  const [photo, guardian, id_no, ...fields] = student_missing
  expect([photo, guardian, id_no]).toEqual(['photo', 'guardian', 'id_no'])
  expect(fields.toSorted()).toEqual(wanted.toSorted())
  expect(fields.map(field => missing_names[field])).toEqual(fields.map(field => (isRegistryProp(field) ? `未填${registry[field].label}` : field)))
})
