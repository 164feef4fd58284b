export {chosenLanguage, language, languages, type Language} from './choose.ts';
export {t, tCount, translated} from './translate.ts';
