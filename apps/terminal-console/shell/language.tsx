import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'

/** Chinese or English; each stands in its own language. */
export function LanguageChoice(): ReactNode {
  const { t, language, choose } = useWords()
  return (
    <div className="language" role="group" aria-label={t('app.language')}>
      <button type="button" lang="zh-CN" aria-pressed={language === 'zh'} onClick={() => choose('zh')}>{t('base.language.CN')}</button>
      <button type="button" lang="en" aria-pressed={language === 'en'} onClick={() => choose('en')}>{t('base.language.EN')}</button>
    </div>
  )
}
