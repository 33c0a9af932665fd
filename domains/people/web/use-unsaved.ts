import { mayDiscard } from '@kit/web'
import { useBlocker } from '@tanstack/react-router'

/** Whoever leaves a page on which something is typed and not saved is asked first, and so is he by the browser who closes it. */
export function useUnsaved(isTyped: () => boolean): void {
  useBlocker({ shouldBlockFn: async () => isTyped() && !(await mayDiscard()), enableBeforeUnload: isTyped })
}
