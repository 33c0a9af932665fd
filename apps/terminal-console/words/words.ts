import type { Fault } from '@kit/terminal-protocol/console'
import { createInstance } from 'i18next'
import { useSyncExternalStore } from 'react'
import { en } from './en.ts'
import { zh } from './zh.ts'
import type { Key } from './zh.ts'

export type { Key } from './zh.ts'
export type Language = 'zh' | 'en'
type Figures = Readonly<Record<string, string | number>>
export type Translate = (key: Key, figures?: Figures) => string

const kept_as = 'console.language'
const words = createInstance()
void words.init({
  lng: firstLanguage(), resources: { zh: { translation: zh }, en: { translation: en } }, keySeparator: false, nsSeparator: false, initAsync: false,
  // React escapes by itself.
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
})

/** The sentences in the language that somebody has chosen, and the choice itself; whoever asks is drawn anew when it changes. */
export function useWords(): { t: Translate; language: Language; choose: (language: Language) => void } {
  const language = useSyncExternalStore(listen, () => (words.language === 'en' ? 'en' : 'zh'))
  return { t: translate, language, choose }
}

/** The sentence of a refusal. */
export function faultText(t: Translate, fault: Fault): string {
  return t(`fault.${fault.code}`, { n: fault.seconds ?? 0, least: fault.least ?? 0, most: fault.most ?? 0 })
}

/** Whether a text is the name of a sentence: names that are put together come from the device. */
export function isKey(text: string): text is Key {
  return text in zh
}

/** Speaks a language; `is_kept`: here and from now on. */
export function choose(language: Language, is_kept = true): void {
  if (is_kept) localStorage.setItem(kept_as, language)
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  void words.changeLanguage(language)
}

const translate: Translate = (key, figures) => words.t(key, { ...figures })

function listen(onChange: () => void): () => void {
  words.on('languageChanged', onChange)
  return () => words.off('languageChanged', onChange)
}

function firstLanguage(): Language {
  const kept = localStorage.getItem(kept_as) ?? navigator.language
  return kept.startsWith('en') ? 'en' : 'zh'
}
