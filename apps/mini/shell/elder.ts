const KEY = 'mini_elder'

/** Whether this person reads in large type on this device (长辈版, chapter 80 M14). */
export function isElder(user_id: string): boolean {
  try {
    return window.localStorage.getItem(`${KEY}_${user_id}`) === '1'
  } catch {
    return false
  }
}

/** Keeps it, and shows it at once. */
export function setElder(user_id: string, on: boolean): void {
  try {
    window.localStorage.setItem(`${KEY}_${user_id}`, on ? '1' : '0')
  } catch {
    // A private window keeps nothing.
  }
  showElder(on)
}

/** Large type for the whole page, or not. */
export function showElder(on: boolean): void {
  document.documentElement.classList.toggle('elder', on)
}
