import { useAddress } from '../../use-address.ts'

/** What somebody is about to do in a section, by a name that is in the address: a link, or the palette, can ask for it. */
export function useAsked(): [string | undefined, (asked: string | undefined) => void] {
  const { search, change } = useAddress()
  return [typeof search.ask === 'string' ? search.ask : undefined, (ask) => change({ ask }, false)]
}
