// What the browser shows of the report, in a line.
(() => {
    const isShown = element => getComputedStyle(element).display !== 'none' && element.getBoundingClientRect().width > 200;
    const charts = [...document.querySelectorAll('#chart > svg')].filter(isShown);
    const count = selector => document.querySelectorAll(selector).length;
    const hasName = name => charts.every(svg => [...svg.querySelectorAll('text')].some(it => it.textContent.trim() === name));
    return [
        'charts shown: ' + charts.length,
        'marks: ' + charts.map(svg =>
            svg.querySelectorAll('circle').length + ' and ' + svg.querySelectorAll('polygon').length),
        'legend: ' + ['positions', 'wins in one', 'mates'].every(hasName),
        'headline: ' + document.querySelector('#total-mates').textContent.trim(),
        'rows: ' + count('#tallies tbody tr'),
        'total: ' + [...document.querySelectorAll('#tallies tfoot td')].map(cell => cell.textContent).join(' '),
        'shapes: ' + count('.shapes svg'),
        'solved games: ' + count('#solved-games tbody tr'),
        'pictures: ' + [...document.images].filter(it => it.complete && it.naturalWidth > 100 && it.alt).length,
        'wider than the window: ' + (document.documentElement.scrollWidth > innerWidth),
    ].join('; ')
})()
