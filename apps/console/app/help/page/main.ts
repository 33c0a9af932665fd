import { rankTitle } from '@kit/contract/search'
import { rankArticle } from '../article.ts'
import type { Article } from '../article.ts'
import { articles } from '../articles.ts'

const content = byId('content')
const search = byId('search')

window.addEventListener('hashchange', show)
search.addEventListener('input', show)
window.addEventListener('keydown', event => {
  // The frame around this page belongs to the console, which closes it. A page in a sandbox does not know whose it is.
  if (event.key === 'Escape') window.parent.postMessage('help:close', '*')
})
show()

/** What was looked for, else the article of the address, else all of them. */
function show(): void {
  const typed = search instanceof HTMLInputElement ? search.value.trim() : ''
  const path = decodeURIComponent(window.location.hash.slice(1))
  const chosen = articles.find(article => article.id === path || article.path === path)
  if (typed !== '') content.replaceChildren(...found(typed))
  else if (chosen) content.replaceChildren(...page(chosen))
  else content.replaceChildren(element('h1', '使用帮助'), list(articles))
  content.scrollTop = 0
}

function found(typed: string): Node[] {
  const ranked = articles.flatMap(article => {
    const rank = rankArticle(article, typed, rankTitle)
    return rank === null ? [] : [{ article, rank }]
  })
  const fits = ranked.toSorted((a, b) => a.rank - b.rank).map(({ article }) => article)
  if (fits.length === 0) return [element('p', `没有找到“${typed}”，请换一个说法，或联系学校管理员`)]
  return [element('p', `找到${fits.length}篇`), list(fits)]
}

function list(these: readonly Article[]): HTMLElement {
  const items = these.map(article => {
    const link = element('a', article.title)
    link.setAttribute('href', `#${article.id}`)
    link.addEventListener('click', () => {
      if (search instanceof HTMLInputElement) search.value = ''
      // The address may be this article's already.
      window.setTimeout(show)
    })
    return element('li', link, element('p', article.purpose))
  })
  return element('ul', ...items)
}

function page({ title, purpose, steps, refusals }: Article): Node[] {
  const back = element('a', '‹ 全部帮助')
  back.setAttribute('href', '#')
  const refused = refusals.flatMap(([sentence, what_to_do]) => [element('dt', sentence), element('dd', what_to_do)])
  return [back, element('h1', title), element('p', purpose), element('h2', '怎么做'), element('ol', ...steps.map(step => element('li', step))), element('h2', '遇到提示怎么办'), element('dl', ...refused)]
}

function element(name: string, ...inside: (Node | string)[]): HTMLElement {
  const made = document.createElement(name)
  made.append(...inside)
  return made
}

function byId(id: string): HTMLElement {
  const found_element = document.getElementById(id)
  if (!found_element) throw new Error(`the page has no ${id}`)
  return found_element
}
