/**
 * `${NAME}`, `${env:NAME}` and `${NAME:-default}`: the name, and the default where there is one. A default holds no other placeholder, so that a search
 * takes time in proportion to the text.
 */
export const PLACEHOLDER = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-((?:[^}$]|\$(?!\{))*))?\}/g;
