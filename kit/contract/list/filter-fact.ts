import { z } from 'zod'
import { Day, filter, QueryFlag } from '../wire.ts'

type Shape = z.core.$ZodType

/** What everybody must know of one filter of a list: its query value, how it is called, and how its value is said in words. */
export type FilterFact<V extends Shape = Shape> = {
  label: string
  value: V
  control: 'text' | 'choice' | 'day' | 'days' | 'flag' | 'reference' | 'hidden'
  placeholder?: string
  /** names of the codes of a choice */
  names?: Readonly<Record<string, string>>
  /** dictionary type whose names stand for the codes */
  dictionary?: string
  /** days: the query name of the last day */
  until?: string
  /** reference: what the id is of (`people.dept`), whose owner knows its label */
  of?: string
}
export type FilterFacts = Readonly<Record<string, FilterFact>>

/** The query shape of the filters; every one may be absent, empty or `all`. */
export type FilterShape<F extends FilterFacts> = { [K in keyof F]: ReturnType<typeof filter<F[K]['value']>> }

/** Query shape of the filters, each optional. */
export function filterShape<F extends FilterFacts>(filters: F): FilterShape<F> {
  const entries = Object.entries(filters).map(([name, fact]) => [name, filter(fact.value)])
  return Object.fromEntries(entries)
}

/** Free text, found in several columns. */
export function keyword(placeholder: string, max = 50): FilterFact<z.ZodString> {
  return { label: '关键字', value: z.string().max(max), control: 'text', placeholder }
}

/** Text of one property. */
export function textOf(label: string, placeholder = '请输入', max = 50): FilterFact<z.ZodString> {
  return { label, value: z.string().max(max), control: 'text', placeholder }
}

/** One of a few codes with their names. */
export function choice<const T extends Readonly<Record<string, string>>>(label: string, names: T): FilterFact<z.ZodEnum<{ [K in keyof T & string]: K }>> {
  const entries = Object.keys(names).map(code => [code, code])
  const codes: { [K in keyof T & string]: K } = Object.fromEntries(entries)
  return { label, value: z.enum(codes), control: 'choice', names }
}

/** One code of an editable dictionary. */
export function dictionaryCode(label: string, dictionary: string): FilterFact<z.ZodString> {
  return { label, value: z.string().max(20), control: 'choice', dictionary }
}

/** Yes or no. */
export function flag(label: string, names: { 1: string; 0: string } = { 1: '是', 0: '否' }): FilterFact<typeof QueryFlag> {
  return { label, value: QueryFlag, control: 'flag', names }
}

/** One day. */
export function day(label: string): FilterFact<typeof Day> {
  return { label, value: Day, control: 'day' }
}

/** The first day of a range; `until` names the filter that holds its last day, declared with `lastDay()`. */
export function firstDay(label: string, until: string): FilterFact<typeof Day> {
  return { label, value: Day, control: 'days', until }
}

/** The last day of a range. */
export function lastDay(): FilterFact<typeof Day> {
  return { label: '', value: Day, control: 'hidden' }
}

/** Something with an id: a department, a place, a device; the page gives the picker. */
export function reference<V extends Shape>(label: string, of: string, value: V): FilterFact<V> {
  return { label, value, control: 'reference', of }
}

/** A value that only addresses carry; it says itself in the sheet, where it has a label. */
export function carried<V extends Shape>(label: string, value: V, names?: Readonly<Record<string, string>>): FilterFact<V> {
  return { label, value, control: 'hidden', ...(names ? { names } : {}) }
}
