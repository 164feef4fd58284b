import type {SideQuestionPage} from './side-question-state.ts';
import type {ConfigPage} from './config-state.ts';
import type {ContextPage} from './context-state.ts';
import type {LoginPage} from './login-state.ts';
import type {ModelsPage} from './models-state.ts';
import type {PermissionsPage} from './permissions-state.ts';
import type {RewindPage} from './rewind-state.ts';
import type {TasksPage} from './tasks-state.ts';
import type {ThemesPage} from './themes-state.ts';
import type {TextPage} from './text-page.ts';

/** The page that covers the transcript until you close it. */
export type Page =
	| TextPage
	| RewindPage
	| ContextPage
	| TasksPage
	| ModelsPage
	| LoginPage
	| PermissionsPage
	| SideQuestionPage
	| ThemesPage
	| ConfigPage;

export type PageKind = Page['kind'];
export type PageOf<Kind extends PageKind> = {
	readonly [Each in Kind]: Extract<Page, {readonly kind: Each}> & {readonly kind: Each};
}[Kind];

export function isPage<Kind extends PageKind>(page: Page | undefined, kind: Kind): page is PageOf<Kind> {
	return page?.kind === kind;
}

type WithPage = {readonly page: Page | undefined};

/** Changes the page if a page of this kind is open. */
export function changePage<State extends WithPage, Kind extends PageKind>(
	state: State,
	kind: Kind,
	change: (page: PageOf<Kind>) => PageOf<Kind>,
): State {
	const {page} = state;
	if (!isPage(page, kind)) return state;
	const next = change(page);
	return next === page ? state : {...state, page: next};
}
