import { rankTitle } from '@kit/contract/search'
import { describe, expect, test } from 'vitest'
import { routeTable } from '../route-table.ts'
import { rankArticle } from './article.ts'
import { articles } from './articles.ts'

describe('the built-in help', () => {
  test('every page of the console has an article under its own title', () => {
    const known = new Map(articles.map(({ path, title }) => [path, title]))
    const missing = [...routeTable].filter(([path, { fact }]) => known.get(path) !== fact.title).map(([path, { fact }]) => `${path} ${fact.title}`)
    expect(missing).toEqual([])
  })

  test('each says what it is for, how it is done step by step, and what to do when it is refused', () => {
    expect(new Set(articles.map(({ id }) => id)).size).toBe(articles.length)
    for (const { id, purpose, steps, refusals } of articles) {
      expect(purpose.length, id).toBeGreaterThan(15)
      expect(steps.length, id).toBeGreaterThanOrEqual(3)
      expect(refusals.length, id).toBeGreaterThanOrEqual(1)
    }
  })

  test.each([
    ['xsjz', 'parents-record'],
    ['调班', 'parents-record'],
    ['kjrk', 'icon-menu'],
    ['学号重复', 'parents-record'],
    ['验证码', 'login'],
    ['mmsz', 'pwd-config'],
  ])('“%s” finds %s first', (typed, id) => {
    const ranked = articles.flatMap(article => {
      const rank = rankArticle(article, typed, rankTitle)
      return rank === null ? [] : [{ id: article.id, rank }]
    })
    expect(ranked.toSorted((a, b) => a.rank - b.rank)[0]?.id).toBe(id)
  })
})
