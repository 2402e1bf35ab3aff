"""Scrapy beside us: fetches a site and follows its links, and does nothing with the pages.

scrapy runspider spider.py -a url=http://127.0.0.2:8800/index.html
"""
from urllib.parse import urlsplit

import scrapy


class Spider(scrapy.Spider):
    name = "peer"
    custom_settings = {"CONCURRENT_REQUESTS_PER_DOMAIN": 8, "DOWNLOAD_DELAY": 0, "ROBOTSTXT_OBEY": False,
                       "TELNETCONSOLE_ENABLED": False, "LOG_LEVEL": "ERROR"}

    def __init__(self, url):
        super().__init__()
        self.start_urls, self.allowed_domains = [url], [urlsplit(url).hostname]

    def parse(self, response):
        if isinstance(response, scrapy.http.HtmlResponse):
            yield from response.follow_all(response.css("a::attr(href), area::attr(href)"), self.parse)
