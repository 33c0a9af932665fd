/** Prints the page on a size of paper: the browser's dialog follows the page rule; what is `kit-no-print` stays away. */
export function printOn(size: 'A4' | 'A3', orientation: 'portrait' | 'landscape' = 'landscape'): void {
  const rule = document.createElement('style')
  rule.textContent = `@page { size: ${size} ${orientation}; margin: 10mm; }`
  document.head.append(rule)
  window.print()
  rule.remove()
}
