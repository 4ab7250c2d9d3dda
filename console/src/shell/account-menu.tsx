import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../components/icons.tsx'
import { Menu, MenuItem, MenuSection } from '../components/menu.tsx'
import { userQuery } from '../session/queries.ts'
import { useProject } from '../session/use-project.ts'
import { useSignOut } from '../session/use-sign-out.ts'
import { chooseTheme, type Theme, useTheme } from '../theme.ts'
import { words } from '../words.ts'
import styles from './menus.module.css'

const THEMES: Theme[] = ['system', 'light', 'dark']

export function AccountMenu() {
  const { data: user } = useSuspenseQuery(userQuery())
  const { projectId } = useProject()
  const navigate = useNavigate()
  const theme = useTheme()
  const leave = useSignOut()
  return (
    <Menu
      trigger={
        <button
          type="button"
          className={`${styles.trigger} ${styles.account}`}
          aria-label={`${words.nav.account}: ${user.email}`}
        >
          <Icon name="user" />
          <span>{user.email}</span>
        </button>
      }
    >
      <MenuSection label={words.nav.theme}>
        {THEMES.map((one) => (
          <MenuItem key={one} isChosen={one === theme} onSelect={() => chooseTheme(one)}>
            {words.nav.themes[one]}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection label={user.email}>
        <MenuItem
          onSelect={() =>
            void navigate({
              to: '/$projectId/settings/$section',
              params: { projectId, section: 'account' },
              search: {},
            })
          }
        >
          {words.nav.accountSettings}
        </MenuItem>
        <MenuItem onSelect={leave}>{words.nav.signOut}</MenuItem>
      </MenuSection>
    </Menu>
  )
}
