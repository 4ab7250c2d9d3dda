import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../components/icons.tsx'
import { Menu, MenuItem, MenuSection } from '../components/menu.tsx'
import { projectsQuery, userQuery } from '../session/queries.ts'
import { useProject } from '../session/use-project.ts'
import { words } from '../words.ts'
import styles from './menus.module.css'

/** Which project is looked at, and a way to the others. */
export function ProjectMenu() {
  const { project, projectId } = useProject()
  const { data: projects } = useSuspenseQuery(projectsQuery())
  const { data: user } = useSuspenseQuery(userQuery())
  const navigate = useNavigate()
  return (
    <Menu
      trigger={
        <button type="button" className={styles.trigger} title={words.nav.project}>
          <img src="/console/icon.svg" alt="" width={24} height={24} />
          <span>{project?.name}</span>
          <Icon name="chevron" />
        </button>
      }
    >
      {user.organizations.map(({ id, name }) => (
        <MenuSection key={id} label={name}>
          {projects
            .filter(({ org_id }) => org_id === id)
            .map((one) => (
              <MenuItem
                key={one.id}
                isChosen={one.id === projectId}
                onSelect={() => navigate({ to: '/$projectId', params: { projectId: one.id } })}
              >
                {one.name}
              </MenuItem>
            ))}
        </MenuSection>
      ))}
    </Menu>
  )
}
