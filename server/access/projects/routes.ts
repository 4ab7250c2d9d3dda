import { Type } from 'typebox'
import type { OrganizationId, ProjectId } from '../../base/ids.ts'
import { operation } from '../../http/operation.ts'
import { partQuery } from '../../http/pagination.ts'
import { Id, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { type DomainDeps, removeCustomDomain, setCustomDomain } from './custom-domain.ts'
import {
  changeProject,
  createProject,
  type DeleteProjectDeps,
  deleteProject,
  listOwnProjects,
  listProjects,
  type NewProjectDeps,
  type OwnProjectsDeps,
  showProject,
} from './projects.ts'
import {
  Confirmation,
  CustomDomain,
  NameChange,
  NewProject,
  OwnProjectList,
  Project,
  ProjectHeader,
  ProjectInfo,
  ProjectList,
  QualityChange,
  VisibilityChange,
} from './schemas.ts'
import { type StorageLimits, showCurrentProject } from './storage.ts'

const tag = 'Projects'
const OneProject = Type.Object({ org_id: Id('organization'), project_id: Id('project') })
const UNKNOWN = { 404: 'Not Found' }

export interface ProjectDeps extends DomainDeps, NewProjectDeps, DeleteProjectDeps, OwnProjectsDeps {
  sql: DomainDeps['sql']
  storageLimits: StorageLimits
}

export function projectRoutes(app: App, deps: ProjectDeps): void {
  const { sql } = deps

  app.get(
    '/project',
    operation({
      tag,
      id: 'getCurrentProject',
      summary: 'The current project with its storage',
      errors: { 400: 'Bad Request' },
      request: { headers: ProjectHeader },
      answers: { 200: ref(ProjectInfo) },
    }),
    (request) => showCurrentProject(request.caller, request.headers['x-project-id'], deps),
  )

  app.get(
    '/organization/:orgId/projects',
    operation({
      tag,
      id: 'listProjects',
      summary: 'List the projects of an organization',
      request: { params: Type.Object({ orgId: Id('organization') }), querystring: partQuery() },
      answers: { 200: ref(ProjectList) },
    }),
    async (request) => ({
      projects: await listProjects(request.caller, request.params.orgId, request.query, sql),
    }),
  )

  app.get(
    '/auth/v1/users/current/projects',
    operation({
      tag,
      id: 'listOwnProjects',
      summary: 'List the projects that whoever is signed in may do anything in',
      description:
        'Of all organizations where the user holds a permission, whichever it is: it holds in every project of the organization. Names only; what a project is set to takes `projects:read`.',
      credential: 'bearer',
      request: { querystring: partQuery() },
      answers: { 200: ref(OwnProjectList) },
    }),
    async (request) => ({ projects: await listOwnProjects(request.caller, request.query, deps) }),
  )

  app.post(
    '/organizations/:org_id/projects/v1',
    operation({
      tag,
      id: 'createProject',
      summary: 'Create a project',
      description:
        'Regions that the installation does not name (`MARQUEE_REGIONS`) are 400. They do not choose where media is kept yet.',
      request: { params: Type.Object({ org_id: Id('organization') }), body: NewProject },
      answers: { 201: ref(Project) },
    }),
    async (request, reply) =>
      reply.code(201).send(await createProject(request.caller, request.params.org_id, request.body, deps)),
  )

  app.get(
    '/organizations/:org_id/projects/v1/:project_id',
    operation({
      tag,
      id: 'getProject',
      summary: 'Show a project',
      errors: UNKNOWN,
      request: { params: OneProject },
      answers: { 200: ref(Project) },
    }),
    (request) => showProject(request.caller, scopeOf(request.params), deps),
  )

  app.delete(
    '/organizations/:org_id/projects/v1/:project_id',
    operation({
      tag,
      id: 'deleteProject',
      summary: 'Delete a project with its keys and everything in it',
      description:
        'Takes a user: the project’s own key cannot do it. `confirm` repeats the project’s name or its id; without it, the answer is 400 and says what is needed.',
      errors: UNKNOWN,
      request: { params: OneProject, querystring: Confirmation },
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      await deleteProject(request.caller, scopeOf(request.params), request.query.confirm, deps)
      return reply.code(204).send(null)
    },
  )

  app.patch(
    '/organizations/:org_id/projects/v1/:project_id/name',
    operation({
      tag,
      id: 'renameProject',
      summary: 'Rename a project',
      errors: UNKNOWN,
      request: { params: OneProject, body: NameChange },
      answers: { 200: ref(Project) },
    }),
    (request) => changeProject(request.caller, scopeOf(request.params), { name: request.body.name }, sql),
  )

  app.patch(
    '/organizations/:org_id/projects/v1/:project_id/video-quality',
    operation({
      tag,
      id: 'setVideoQuality',
      summary: 'Set the quality tier that videos get where none is asked for',
      errors: UNKNOWN,
      request: { params: OneProject, body: QualityChange },
      answers: { 200: ref(Project) },
    }),
    (request) =>
      changeProject(
        request.caller,
        scopeOf(request.params),
        { video_quality: request.body.video_quality },
        sql,
      ),
  )

  app.patch(
    '/organizations/:org_id/projects/v1/:project_id/default-visibility',
    operation({
      tag,
      id: 'setDefaultVisibility',
      summary: 'Say who may see new media of the project; what is there stays as it is',
      errors: UNKNOWN,
      request: { params: OneProject, body: VisibilityChange },
      answers: { 200: ref(Project) },
    }),
    ({ caller, params, body: { default_visibility } }) =>
      changeProject(caller, scopeOf(params), { default_visibility }, sql),
  )

  app.put(
    '/organizations/:org_id/projects/v1/:project_id/custom-domain',
    operation({
      tag,
      id: 'setCustomDomain',
      summary: 'Set the domain that the project’s media is delivered under',
      description:
        'The domain is `pending` until the DNS has the record in `custom_domain_record`: set it, and send the same request again. Claims that are pending keep nobody out; a domain that another project has proved is 409 until its record is replaced by yours. From then on the addresses of the project’s media are under the domain, which has to lead to the service, as a CNAME and at whatever ends TLS in front of it.',
      errors: { ...UNKNOWN, 409: 'Conflict' },
      request: { params: OneProject, body: CustomDomain },
      answers: { 200: ref(Project) },
    }),
    (request) => setCustomDomain(request.caller, scopeOf(request.params), request.body.custom_domain, deps),
  )

  app.delete(
    '/organizations/:org_id/projects/v1/:project_id/custom-domain',
    operation({
      tag,
      id: 'removeCustomDomain',
      summary: 'Remove the custom domain',
      errors: UNKNOWN,
      request: { params: OneProject },
      answers: { 200: ref(Project) },
    }),
    (request) => removeCustomDomain(request.caller, scopeOf(request.params), deps),
  )
}

function scopeOf(params: { org_id: OrganizationId; project_id: ProjectId }) {
  return { orgId: params.org_id, projectId: params.project_id }
}
