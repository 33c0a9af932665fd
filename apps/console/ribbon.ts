import { pageSettings } from './login/settings.ts'

/** Says above every page, the login page too, that this is no production (chapter 10 §12), and gives the window its owner's title. */
export function showEnvironment(): void {
  const { ribbon, brand_title } = pageSettings()
  if (brand_title) document.title = brand_title
  if (ribbon) document.body.prepend(Object.assign(document.createElement('div'), { className: 'environment', role: 'note', textContent: ribbon }))
}
