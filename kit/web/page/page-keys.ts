import { useEffect } from 'react'

// Where something is typed the keys are not the page's, arrows not where they walk already, and the space bar not where it presses something.
const typing_places = 'input, textarea, select, [contenteditable], [role=dialog]'
const walking_places = '[role=tablist], [role=menu], [role=listbox]'
const pressed_places = 'button, a, summary, [role=button], [role=switch], [role=combobox]'

/** What is done at a key of the page. */
export function usePageKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const is_busy = event.target instanceof HTMLElement && event.target.closest(placesOf(event.key)) !== null
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!act || is_busy || event.ctrlKey || event.altKey || event.metaKey || document.querySelector('[role=dialog]') !== null) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

function placesOf(key: string): string {
  if (key.startsWith('Arrow')) return `${typing_places}, ${walking_places}`
  return key === ' ' ? `${typing_places}, ${pressed_places}` : typing_places
}
