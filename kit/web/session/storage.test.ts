import { expect, test, vi } from 'vitest'
import { safeStorage } from './storage.ts'

function browserStorage(limit: number): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    clear: () => kept.clear(),
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (name) => kept.get(name) ?? null,
    removeItem: (name) => void kept.delete(name),
    setItem: (name, value) => {
      if (value.length > limit) throw new DOMException('full', 'QuotaExceededError')
      kept.set(name, value)
    },
  }
}

test('a value beyond the quota is kept in memory and wins over the older stored one', () => {
  const storage = safeStorage(() => browserStorage(5))
  storage.setItem('dictionary', 'small')
  storage.setItem('dictionary', 'far too large')
  expect(storage.getItem('dictionary')).toBe('far too large')
  storage.setItem('dictionary', 'short')
  expect(storage.getItem('dictionary')).toBe('short')
  storage.removeItem('dictionary')
  expect(storage.getItem('dictionary')).toBeNull()
})

test('a browser without storage keeps everything until the page closes', () => {
  const storage = safeStorage(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  storage.setItem('token', 't')
  expect(storage.getItem('token')).toBe('t')
  expect(storage.names()).toEqual(['token'])
})

test('10-A16 a token that arrives after signing out is not kept', async () => {
  vi.resetModules()
  const { clearStored, readStored, store } = await import('./storage.ts')
  store('token', 'old')
  clearStored([])
  store('token', 'late')
  expect(readStored('token')).toBeNull()
  vi.resetModules()
})
